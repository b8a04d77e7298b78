// The picture of a part of the graph: entities grow it, relations show who says so.
const place = document.getElementById("graph");
const aside = document.getElementById("edge");
const status = document.querySelector("[data-walked]");
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;

const probe = document.body.appendChild(document.createElement("span"));
const color = (name) => {
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
};

function look() {
  const [ink, soft, line, accent, raised, mark, onAccent] =
    ["--ink", "--soft", "--strong-line", "--accent", "--raised", "--mark", "--on-accent"].map(color);
  return [
    { selector: "node", style: {
      label: "data(label)", color: ink, "font-size": 16, "font-family": getComputedStyle(document.body).fontFamily,
      "text-valign": "bottom", "text-margin-y": 5, "text-wrap": "ellipsis", "text-max-width": 170,
      "background-color": raised, "border-width": 2, "border-color": soft,
      width: "mapData(degree, 1, 40, 20, 48)", height: "mapData(degree, 1, 40, 20, 48)",
      "text-outline-color": raised, "text-outline-width": 2,
    } },
    { selector: 'node[type = "company"]', style: { "border-color": accent } },
    { selector: "node[?first]", style: { "background-color": accent, "border-color": accent, "font-weight": "bold" } },
    { selector: "node.at", style: { "border-color": mark, "border-width": 4 } },
    { selector: "edge", style: {
      width: "mapData(weight, 0, 6, 1, 4)", "line-color": line, "curve-style": "bezier", "target-arrow-color": line,
      "arrow-scale": 0.9, label: "data(label)", "font-size": 12.5, color: soft, "text-rotation": "autorotate",
      "text-outline-color": raised, "text-outline-width": 2.5, "min-zoomed-font-size": 7,
    } },
    { selector: "edge[?directed]", style: { "target-arrow-shape": "triangle" } },
    { selector: "edge[!stated]", style: { "line-style": "dotted" } },
    { selector: "edge.at", style: { "line-color": mark, "target-arrow-color": mark, color: ink } },
  ];
}

const cy = cytoscape({
  container: place,
  elements: JSON.parse(place.dataset.elements),
  style: look(),
  minZoom: 0.3,
  maxZoom: 3,
});
arrange();
place.cy = cy;

/** Names stay legible: on a small screen the rest is reached by moving the picture. */
function legible() {
  const zoom = Math.min(1.15, Math.max(0.62, cy.zoom()));
  if (zoom === cy.zoom()) return;
  const first = cy.nodes("[?first]");
  cy.zoom(zoom);
  cy.center(zoom < 1 && first.nonempty() ? first : undefined);
}

function arrange() {
  if (cy.nodes().toArray().every((each) => each.data("layer") != null)) {
    layers();
    return;
  }
  cy.layout({
    name: "cose", animate: !calm, animationDuration: 400, randomize: false, fit: true, padding: 36,
    nodeDimensionsIncludeLabels: true, nodeOverlap: 40, componentSpacing: 80, gravity: 0.25, numIter: 2500,
    nodeRepulsion: () => 400000, idealEdgeLength: (edge) => (edge.data("stated") ? 120 : 240),
    stop: () => requestAnimationFrame(legible),
    edgeElasticity: (edge) => (edge.data("stated") ? 100 : 1000),
  }).run();
}

/** A chain stands in columns, from upstream to downstream. */
function layers() {
  const rows = new Map();
  cy.nodes().forEach((node) => {
    const layer = node.data("layer");
    const row = rows.get(layer) ?? 0;
    rows.set(layer, row + 1);
    node.position({ x: layer * 250, y: row * 150 });
  });
  cy.nodes().forEach((node) => {
    node.position("y", node.position("y") - ((rows.get(node.data("layer")) - 1) * 150) / 2);
  });
  cy.fit(undefined, 40);
  legible();
}

cy.on("tap", "node", (event) => grow(event.target));
cy.on("tap", "edge", (event) => tell(event.target));

async function grow(node) {
  at(node);
  const reply = await fetch(withQuery(place.dataset.near, { entity: node.id() }));
  if (!reply.ok) return;
  const found = (await reply.json()).filter((each) => cy.getElementById(each.data.id).empty());
  for (const each of found) {
    each.data.first = false;
    if (!each.data.source) each.position = { x: node.position("x") + 40, y: node.position("y") + 40 };
  }
  const ids = new Set(found.map((each) => each.data.id));
  const known = (id) => ids.has(id) || cy.getElementById(id).nonempty();
  cy.add(found.filter((each) => !each.data.source || (known(each.data.source) && known(each.data.target))));
  if (found.length) arrange();
  const more = found.filter((each) => !each.data.source).length;
  status.textContent = more ? `${more} more near ${node.data("label")}.` : `Nothing more near ${node.data("label")}.`;
}

async function tell(edge) {
  at(edge);
  const { source, target, relation } = edge.data();
  await show(withQuery(place.dataset.evidence, { src: source, relation, dst: target }));
}

async function show(address) {
  const reply = await fetch(address, { headers: { "HX-Request": "true" } });
  if (reply.ok) aside.innerHTML = await reply.text();
}

function at(element) {
  cy.elements().removeClass("at");
  element.addClass("at");
}

function withQuery(address, told) {
  const url = new URL(address, location.href);
  for (const [name, value] of Object.entries(told)) url.searchParams.set(name, value);
  return url;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-edge]");
  if (link) {
    event.preventDefault();
    show(link.href);
    aside.scrollIntoView({ block: "nearest" });
  }
  if (event.target.closest("[data-theme-button]")) requestAnimationFrame(() => cy.style(look()));
});

place.addEventListener("keydown", (event) => {
  const nodes = cy.nodes().toArray();
  const now = nodes.findIndex((each) => each.hasClass("at"));
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (step) {
    const node = nodes[(now + step + nodes.length) % nodes.length];
    at(node);
    status.textContent = `${node.data("label")}, ${node.data("type")}`;
  } else if (event.key === "Enter" && now >= 0) grow(nodes[now]);
  else return;
  event.preventDefault();
});
