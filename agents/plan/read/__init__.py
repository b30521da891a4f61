"""From mentions to a plan: one meaning per mention is chosen (:mod:`assign`), roles are read off in short passes over a
shared draft (:mod:`passes`), and the draft is compiled against the key graph (:mod:`compile`)."""
