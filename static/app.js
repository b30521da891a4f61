/* Starchart: what the page does beyond links and forms. Without this file, and without htmx, everything still works. */
(() => {
  "use strict";
  const script = document.currentScript;
  const root = document.documentElement;
  const words = script.dataset;
  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const narrow = matchMedia("(max-width: 70rem)");
  const night = matchMedia("(prefers-color-scheme: dark)");
  root.classList.add("js");

  /* said to a screen reader once it has stood for a moment */
  let saying;
  const say = (text, wait) => {
    clearTimeout(saying);
    saying = setTimeout(() => { one("#announce").textContent = text; }, wait);
  };
  const textOf = (selector, within) => one(selector, within)?.textContent.trim().replace(/\s+/g, " ") ?? "";

  const panel = () => (/^#(evidence|thread)-panel$/.test(location.hash) ? location.hash : "#answer");

  /* the box */
  const box = one("#ask-box");
  const complain = (message, near) => {
    const line = document.createElement("p");
    line.className = "problem-line";
    line.textContent = message;
    const table = near?.closest(".table-page");
    if (table) {
      one(".problem-line", table)?.remove();
      line.role = "alert";
      one(".block-head", table).after(line);
    } else one("#ask-problem")?.replaceChildren(line);
  };
  /* the style sheet keeps clear of the box, however tall */
  if (box) new ResizeObserver(([{ target }]) => root.style.setProperty("--ask", `${target.offsetHeight}px`)).observe(box.closest(".ask"));
  box?.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    if (box.value.trim()) box.form.requestSubmit();
  });
  addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("[data-ask]") && !window.htmx) {
      if (form.dataset.sent) event.preventDefault();
      form.dataset.sent = "1";
    }
    if (form.matches("[data-theme-form]")) {
      event.preventDefault();
      const chosen = event.submitter.value;
      const data = new FormData(form, event.submitter);
      if (chosen === (night.matches ? "dark" : "light")) data.set("theme", "auto");
      root.dataset.theme = chosen;
      all(".to-night, .to-day", form).find((button) => button.offsetParent)?.focus();
      fetch(form.action, { method: "POST", body: data, redirect: "manual" }).catch(() => {});
    }
  }, true);
  addEventListener("pageshow", () => all("[data-sent]").forEach((form) => delete form.dataset.sent));

  /* htmx: a new turn, and what can go wrong */
  const listen = (name, handler) => document.addEventListener(name, handler);
  listen("htmx:beforeRequest", (event) => {
    const form = event.detail.elt;
    if (!form.matches("[data-ask]")) return;
    if (form.contains(box) && !box.value.trim()) event.preventDefault();
    one("#ask-problem").replaceChildren();
  });
  listen("htmx:afterRequest", (event) => {
    const form = event.detail.elt;
    if (!form.matches("[data-ask]")) return;
    if (!event.detail.successful || event.detail.xhr.status > 399) { if (form.contains(box)) box.focus(); return; }
    if (form.contains(box)) box.value = "";
    if (panel() !== "#answer") location.hash = "answer";
    const heading = one("#canvas h1");
    if (!heading) return;
    document.title = `${heading.textContent.slice(0, 80)} · ${document.title.split(" · ").slice(-2).join(" · ")}`;
    scrollTo(0, 0);
    heading.focus({ preventScroll: true });
  });
  listen("htmx:responseError", (event) => {
    const page = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html");
    complain(textOf(".problem-line, main h1", page) || words.unexpected, event.detail.elt);
  });
  listen("htmx:sendError", (event) => complain(words.unreachable, event.detail.elt));

  /* following a running turn by socket, or by asking again */
  const poll = (socket) => {
    if (socket.dataset.polling) return;
    socket.dataset.polling = "1";
    let after = socket.dataset.seq;
    let wait = 400;
    const step = async () => {
      if (!socket.isConnected || !socket.dataset.polling) return;
      try {
        const answer = await fetch(`${socket.dataset.poll}?after=${after}`, { headers: { "HX-Request": "true" } });
        after = answer.headers.get("X-Starchart-Seq") ?? after;
        if (answer.status === 200) htmx.swap(document.body, await answer.text(), { swapStyle: "none" });
        if (answer.status === 404 || answer.headers.has("X-Starchart-Done")) return;
      } catch { /* tried again */ }
      setTimeout(step, (wait = Math.min(wait * 1.3, 3000)));
    };
    step();
  };
  const follow = (socket) => {
    if (socket.dataset.followed) return;
    socket.dataset.followed = "1";
    if (!window.htmx) setTimeout(() => location.reload(), 1500);
    else setTimeout(() => socket.dataset.heard || poll(socket), 3000);
  };
  listen("htmx:wsAfterMessage", (event) => {
    event.target.dataset.heard = "1";
    delete event.target.dataset.polling;
  });
  listen("htmx:wsError", (event) => { if (!event.target.dataset.heard) poll(event.target); });
  listen("htmx:wsClose", (event) => { if (event.detail.event.code !== 1000) poll(event.target); });

  /* charts: Vega is fetched with the first of them */
  let charts;
  const loadCharts = () => charts ??= Promise.all(words.charts.trim().split(/\s+/).map((source) => new Promise((done, failed) => {
    document.head.append(Object.assign(document.createElement("script"), { src: source, async: false, onload: done, onerror: failed }));
  }))).catch((error) => { charts = undefined; throw error; });
  const draw = async (figure, kind) => {
    const plot = one("[data-plot]", figure);
    const url = new URL(figure.dataset.chartUrl, location.href);
    if (kind) url.searchParams.set("chart", kind);
    figure.dataset.drawn = kind ?? "";
    plot.classList.remove("failed");
    try {
      const [data] = await Promise.all([fetch(url).then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status))), loadCharts()]);
      if (!figure.isConnected || figure.dataset.drawn !== (kind ?? "")) return;
      await starchartPaint(figure, data);
    } catch {
      plot.classList.add("failed");
      plot.textContent = words.chartFailed;
    }
  };

  /* looking at what has arrived */
  const outcome = () => `${one(".turn")?.id} ${one(".turn-status")?.dataset.status}`;
  let seen = outcome();
  let state = "";
  const look = () => {
    all("figure[data-chart-url]:not([data-drawn])").forEach((figure) => draw(figure));
    all("[data-socket]").forEach(follow);
    const now = outcome();
    const label = textOf(".state-label");
    if (label && label !== state) say(label, 600);
    if (now !== seen && !label) say([".outcome", ".artifact-problem h2, .artifact-clarify h2", ".lead", ".aside"].map((part) => textOf(part)).filter(Boolean).join(" – "), 300);
    [seen, state] = [now, label];
  };
  let looking;
  const canvas = one("#canvas");
  if (canvas) new MutationObserver(() => { looking ??= requestAnimationFrame(() => { looking = undefined; look(); }); }).observe(canvas, { childList: true, subtree: true });
  look();

  /* a number in the text and its cell */
  const cellsOf = ({ frame, row, column }) => {
    const page = one(`.table-page[data-frame="${CSS.escape(frame)}"]`);
    const at = page ? all("thead th", page).findIndex((head) => head.dataset.column === column) : -1;
    if (at < 0) return [];
    return all(row ? `tr[data-row="${row}"]` : "tr", page).map((line) => line.children[at]).filter(Boolean);
  };
  const light = (event) => {
    all(".lit").forEach((cell) => cell.classList.remove("lit"));
    const cite = event.target.closest?.(".cite");
    if (cite) cellsOf(cite.dataset).forEach((cell) => cell.classList.add("lit"));
  };
  for (const name of ["pointerover", "focusin"]) addEventListener(name, light);

  /* clicks */
  const toClipboard = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const area = Object.assign(document.createElement("textarea"), { value: text });
    area.className = "visually-hidden";
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    if (!copied) throw new Error("copy");
  };
  const copy = async (button) => {
    const cellText = (cell) => (one(".null", cell) ? "" : cell.textContent.trim().replace(/\s+/g, " "));
    const text = button.dataset.copy === "table"
      ? all("tr", button.closest(".table-page")).map((row) => [...row.children].map(cellText).join("\t")).join("\n")
      : one("pre", button.parentElement).textContent;
    const label = button.dataset.label ??= button.textContent;
    const done = await toClipboard(text).then(() => button.dataset.done, () => button.dataset.failed);
    button.textContent = done;
    say(done, 0);
    clearTimeout(button.timer);
    button.timer = setTimeout(() => { button.textContent = label; }, 1600);
  };
  const closePops = (except) => all("[data-pop][open]").forEach((pop) => { if (pop !== except) pop.open = false; });
  addEventListener("click", (event) => {
    const target = event.target;
    closePops(target.closest("[data-pop]"));
    const button = target.closest("[data-copy]");
    if (button) copy(button);
    if (target.closest("[data-open-keys]")) one("#keys").showModal();
    const choice = target.closest("[data-chart]");
    if (choice && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      all("[data-chart]", choice.closest(".switch")).forEach((link) => { link.ariaCurrent = link === choice || null; });
      one(".chart-reason", choice.closest("figure")).textContent = choice.title;
      draw(choice.closest("figure"), choice.dataset.chart);
    }
    const cite = target.closest(".cite");
    if (cite && !document.getElementById(cite.hash.slice(1))) {
      event.preventDefault();
      one(`#table-${CSS.escape(cite.dataset.frame)}`)?.scrollIntoView({ block: "center" });
    }
  });

  /* tabs and the drawer follow the address */
  const tabs = () => {
    all(".tabs a").forEach((tab) => (tab.ariaCurrent = tab.hash === panel() || null));
    if (narrow.matches && panel() !== "#answer") one(panel())?.focus({ preventScroll: true });
  };
  addEventListener("hashchange", tabs);
  tabs();

  /* keys */
  const show = (element) => {
    if (!element) return;
    if (narrow.matches && panel() !== "#answer") location.hash = "answer";
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "start" });
  };
  const walk = (by) => {
    const links = all("#thread .turns:not(.earlier) .turn-link");
    links[links.findIndex((link) => link.matches("[aria-current]")) + by]?.click();
  };
  const keys = {
    "/": () => { box?.focus(); box?.select(); },
    ArrowLeft: () => walk(-1), k: () => walk(-1), ArrowRight: () => walk(1), j: () => walk(1),
    e: () => {
      if (!one("#evidence-panel")) return;
      if (!narrow.matches) one("#evidence-panel").focus();
      else location.hash = panel() === "#evidence-panel" ? "answer" : "evidence-panel";
    },
    s: () => { const sql = one(".artifact-sql details"); if (sql) { sql.open = true; show(one("pre", sql)); } },
    c: () => show(one(".artifact-chart h2")),
    "?": () => one("#keys").showModal(),
  };
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.key === "Escape" && !event.isComposing) {
      const pop = one("[data-pop][open]");
      if (pop) { closePops(); one("summary", pop).focus(); } else if (typing) typing.blur();
      else if (narrow.matches && panel() !== "#answer") location.hash = "answer";
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey || one("dialog[open]")) return;
    if (event.key.startsWith("Arrow") && event.target.closest?.(".scroll, summary")) return;
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });
})();
