// Elements of HTML and SVG with attributes and what is inside; attributes that are null are left out.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, inside) {
  for (const [key, value] of Object.entries(attributes)) if (value != null && value !== false) element.setAttribute(key, value === true ? "" : value);
  element.append(...inside);
  return element;
}

export const make = (name, attributes = {}, ...inside) => filled(document.createElement(name), attributes, inside);
export const drawn = (name, attributes = {}, ...inside) => filled(document.createElementNS(SVG, name), attributes, inside);
