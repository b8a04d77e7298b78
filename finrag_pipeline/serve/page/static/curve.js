// A metric over fiscal years as a curve; the table under it says the same.
const place = document.querySelector("[data-curve]");
const curve = JSON.parse(place.dataset.curve);
const style = () => getComputedStyle(document.documentElement);
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });

let plot = null;
function draw() {
  plot?.destroy();
  place.replaceChildren();
  const probe = document.body.appendChild(document.createElement("span"));
  const color = (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const [accent, soft, line, mark] = ["--accent", "--soft", "--line", "--mark"].map(color);
  probe.remove();
  const colors = [accent, mark, "#8a63c9", "#4f9a5b", "#c2577f", "#4a7fd6", "#9c8424", "#2f9e99", "#7a7f87"];
  const axis = { stroke: soft, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const series = [{}, ...curve.lines.map((each, at) => {
    const stroke = colors[Math.min(at, colors.length - 1)];
    const dash = each.name === "reported" ? undefined : [6, 5];
    return { label: each.name, stroke, dash, width: 2.5, spanGaps: true, points: { size: 7, fill: stroke } };
  })];
  const data = [curve.years, ...curve.lines.map((each) => each.values)];
  plot = new uPlot({
    width: place.clientWidth - 20,
    height: Math.min(320, Math.max(200, place.clientWidth * 0.4)),
    scales: { x: { time: false, range: (_, low, high) => [low - 0.4, high + 0.4] } },
    axes: [
      { ...axis, grid: { show: false }, splits: () => curve.years, values: (_, all) => all.map(String) },
      { ...axis, size: 64, values: (_, all) => all.map((value) => short.format(value)) },
    ],
    series,
    legend: { show: false },
  }, data, place);
}

draw();
let width = place.clientWidth;
new ResizeObserver(() => {
  if (place.clientWidth !== width) {
    width = place.clientWidth;
    draw();
  }
}).observe(place);
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-theme-button]")) requestAnimationFrame(draw);
});
document.querySelector("[data-submit]")?.addEventListener("change", (event) => event.target.form.submit());
