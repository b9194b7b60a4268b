/* Runs scripts that were joined into few files (web/joined_scripts.py). Each script is a function that returns what
   it exports; it runs once, when the first other script imports it. */

/** Name of a script that is loaded when it is imported -> address of its file; filled in when files are joined.
    @type {Record<string, string>} */
const $files = {};
/** @type {Map<string, () => Promise<any>>} */
const makers = new Map();
/** @type {Map<string, Promise<any>>} */
const running = new Map();

/** Adds a script; where two files hold the same one, the first counts.
    @param {string} name path below web/static
    @param {() => Promise<any>} make */
export function $define(name, make) {
  if (!makers.has(name)) makers.set(name, make);
}

/** What a script exports.
    @param {string} name path below web/static
    @returns {Promise<any>} */
export function $need(name) {
  const found = running.get(name) ?? run(name);
  running.set(name, found);
  return found;
}

/** @param {string} name */
async function run(name) {
  if (!makers.has(name)) (await import($files[name])).default($define, $need, $import);
  const make = makers.get(name);
  if (!make) throw new Error(`no script ${name}`);
  return make();
}

/** What `import(path)` in the script `from` gives.
    @param {string} from
    @param {string} path */
export function $import(from, path) {
  return $need(new URL(path, `http://localhost/${from}`).pathname.slice(1));
}
