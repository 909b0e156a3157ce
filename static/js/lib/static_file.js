// @ts-check
// Addresses of files beside the scripts, whichever folder or bundle this module is in.

/**
 * Return the address of a file in the folder `static`, of the same version of the site as this script.
 * @param {string} path below `static`, for example "css/base.css"
 */
export function staticFile(path) {
  const folder = import.meta.url.slice(0, import.meta.url.lastIndexOf("/js/") + 1);
  return `${folder}${path}`;
}
