const open = () => {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const folded = place && place.closest("details");
  if (folded) {
    folded.open = true;
    place.scrollIntoView();
  }
};
addEventListener("hashchange", open);
open();
