/* Starchart: draws charts in the ink of the page. Loaded by app.js, after Vega, when the first chart is there. */
(() => {
  "use strict";
  const root = document.documentElement;
  const drawn = new Map();
  const chartTheme = () => {
    const style = getComputedStyle(root);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const font = getComputedStyle(document.body).fontFamily;
    const [ink, soft, rule, grid, accent] = ["ink", "soft", "rule", "plot-grid", "accent"].map(colour);
    const series = [1, 2, 3, 4, 5, 6, 7].map((number) => colour(`plot-${number}`));
    const text = { labelFont: font, titleFont: font, labelColor: soft, titleColor: soft, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 400 };
    return {
      background: null, font, padding: { left: 0, right: 4, top: 6, bottom: 2 },
      view: { stroke: null },
      title: { font, color: ink, fontSize: 14, fontWeight: 600, anchor: "start" },
      axis: { ...text, gridColor: grid, domainColor: rule, tickColor: rule, tickSize: 4, labelPadding: 6, titlePadding: 10, labelLimit: 160 },
      axisX: { grid: false, labelOverlap: "greedy", labelSeparation: 10 }, axisY: { domain: false, ticks: false, tickCount: 5 },
      legend: { ...text, labelColor: ink, orient: "top", direction: "horizontal", symbolSize: 90, symbolStrokeWidth: 2.2, offset: 6 },
      header: { ...text, labelColor: ink },
      range: { category: series, ramp: [grid, series[0]], heatmap: [grid, series[0]], ordinal: [grid, series[0]], diverging: [series[1], grid, series[0]] },
      mark: { color: series[0], tooltip: true },
      line: { strokeWidth: 2.2, point: "transparent" }, area: { fillOpacity: 0.75, line: true }, point: { filled: true, size: 44, opacity: 0.8 },
      circle: { opacity: 0.8 }, bar: { discreteBandSize: { band: 0.72 } }, rule: { color: accent }, text: { font, color: ink, fontSize: 12 },
      arc: { stroke: colour("ground"), strokeWidth: 1 }, boxplot: { median: { color: ink } },
    };
  };
  const chinese = root.lang.startsWith("zh") && {
    dateTime: "%Y年%-m月%-d日 %H:%M", date: "%Y/%-m/%-d", time: "%H:%M:%S", periods: ["上午", "下午"],
    days: [..."日一二三四五六"].map((day) => `星期${day}`), shortDays: [..."日一二三四五六"].map((day) => `周${day}`),
    months: [...Array(12).keys()].map((month) => `${month + 1}月`), shortMonths: [...Array(12).keys()].map((month) => `${month + 1}月`),
  };
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  document.body.append(tip);
  const showTip = (_handler, event, _item, value) => {
    tip.hidden = value === null || value === undefined || value === "";
    if (tip.hidden) return;
    const rows = typeof value === "object" ? Object.entries(value) : [["", value]];
    tip.replaceChildren(...rows.map(([name, content]) => {
      const row = document.createElement("p");
      row.append(Object.assign(document.createElement("span"), { textContent: name }), Object.assign(document.createElement("b"), { textContent: content }));
      return row;
    }));
    tip.style.left = `${Math.max(8, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${event.clientY + 18 + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 10 : event.clientY + 18}px`;
  };
  /* Vega-Lite writes a moment as datetime(ms), which the interpreter that works without eval takes for a year. */
  const mend = ({ data, ...rest }) => ({
    ...JSON.parse(JSON.stringify(rest), (key, value) => (key === "signal" && typeof value === "string" ? value.replace(/\bdatetime\((-?\d+)\)/g, "toDate($1)") : value)),
    data,
  });
  /* given: {spec: a Vega-Lite spec, rows: its data} */
  const paint = async (figure, given) => {
    const spec = structuredClone(given.spec);
    spec.data = { ...spec.data, values: given.rows };
    const inner = spec.spec ?? spec;
    const single = !["hconcat", "vconcat", "concat", "repeat", "facet"].some((key) => key in spec) && !["row", "column", "facet"].some((key) => key in (inner.encoding ?? {}));
    if (single && typeof spec.width !== "object") { spec.width = "container"; spec.autosize ??= { type: "fit-x", contains: "padding" }; }
    if (single) spec.height ??= 280;
    const plot = figure.querySelector("[data-plot]");
    const options = { ast: true, renderer: "svg", actions: false, defaultStyle: false, tooltip: showTip, patch: mend, config: chartTheme() };
    if (chinese) options.timeFormatLocale = chinese;
    drawn.get(figure)?.view?.finalize();
    const { view } = await vegaEmbed(plot, spec, options);
    drawn.set(figure, { given, view });
    const picture = plot.querySelector("svg");
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", plot.dataset.label);
    picture.removeAttribute("aria-roledescription");
    picture.querySelectorAll("[role], [aria-label], [aria-roledescription]").forEach((part) => ["role", "aria-label", "aria-roledescription"].forEach((name) => part.removeAttribute(name)));
  };
  const repaint = () => {
    for (const [figure, { given, view }] of drawn) {
      if (figure.isConnected) paint(figure, given);
      else { view.finalize(); drawn.delete(figure); }
    }
  };
  new MutationObserver(repaint).observe(root, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  window.starchartPaint = paint;
})();
