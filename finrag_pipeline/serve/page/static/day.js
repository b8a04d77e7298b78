// The day that everything is shown as of: moving the slider goes to the same page on that day.
const form = document.querySelector("[data-day]");
if (form) {
  const slider = form.querySelector("input[type=range]");
  const output = form.querySelector("output");
  const days = slider.dataset.days.split(" ");
  const chosen = () => days[Number(slider.value)] ?? "";

  slider.addEventListener("input", () => {
    output.value = chosen() || "today";
    slider.setAttribute("aria-valuetext", chosen() || "today, everything");
  });
  slider.addEventListener("change", () => goTo(chosen()));
  form.querySelector("[data-today]")?.addEventListener("click", (event) => {
    event.preventDefault();
    goTo("");
  });
}

/** The same address on another day; an answer behind the # is asked again there. */
export function goTo(day) {
  const address = new URL(location.href);
  if (day) address.searchParams.set("as_of", day);
  else address.searchParams.delete("as_of");
  if (address.href === location.href) return;
  const told = new URLSearchParams(address.hash.slice(1));
  for (const name of ["at", "answer", "build"]) told.delete(name); // another day is no older answer
  address.hash = told.toString();
  location.assign(address);
}
