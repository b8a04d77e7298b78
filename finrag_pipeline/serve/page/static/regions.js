// A row of the list lights its region on the page, and the other way round.
const rows = [...document.querySelectorAll("main table tbody tr")];
const boxes = [...document.querySelectorAll(".sheet rect")];

rows.forEach((row, at) => {
  row.addEventListener("pointerenter", () => boxes[at]?.classList.add("lit"));
  row.addEventListener("pointerleave", () => boxes[at]?.classList.remove("lit"));
});
boxes.forEach((box, at) => {
  box.addEventListener("click", () => rows[at]?.scrollIntoView({ block: "center" }));
});
