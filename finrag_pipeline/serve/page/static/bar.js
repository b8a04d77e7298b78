// On a narrow screen the bar and the tabs are scrolled to where one is.
for (const here of document.querySelectorAll("nav [aria-current]")) {
  here.parentElement.scrollLeft = here.offsetLeft - (here.parentElement.clientWidth - here.offsetWidth) / 2;
}
