/** Files of the page that load when they are first needed, each with the hash that the page names. */

/** Element of the page that names the files: `<name> <URL> <hash>` of each. */
const ELEMENT = 'meta[name="keybay:later"]'

export interface LaterFile {
  readonly url: string
  /** Subresource integrity, e.g. `sha384-…`. */
  readonly hash: string
}

/** Returns the files by name. */
export function readLater(page: ParentNode): ReadonlyMap<string, LaterFile> {
  const words = page.querySelector<HTMLMetaElement>(ELEMENT)?.content.split(' ') ?? []
  const files = new Map<string, LaterFile>()
  for (let index = 0; index + 2 < words.length; index += 3) {
    const [name = '', url = '', hash = ''] = words.slice(index, index + 3)
    files.set(name, { url, hash })
  }
  return files
}

interface Loading<T> {
  readonly file: LaterFile | undefined
  /** Allows the URL for a script element (Trusted Types). */
  readonly allow: (url: string) => unknown
  /** Imports the file by its own URL, which the bundler knows. */
  readonly first: () => Promise<T>
  /** Imports the file by another URL. */
  readonly again: (url: string) => Promise<T>
}

/** Loads the file in a script element, which checks its hash and puts it into the page's module map. */
function loadChecked({ hash }: LaterFile, url: string, allow: (url: string) => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.type = 'module'
    script.integrity = hash
    Reflect.set(script, 'src', allow(url))
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new TypeError(`${url} did not load, or is another file.`)))
    document.head.append(script)
  })
}

/**
 * Returns a function that loads a file once. After a failure, the next call tries again.
 *
 * `import` cannot check a hash, but reuses the checked file in the module map. That map also remembers failed URLs, so
 * each retry needs a new URL.
 */
export function laterLoader<T>({ file, allow, first, again }: Loading<T>): () => Promise<T> {
  let attempts = 0
  let loading: Promise<T> | undefined
  const load = async () => {
    if (!file) throw new TypeError('This page is not whole.')
    const url = attempts === 0 ? file.url : `${file.url}#${attempts}`
    attempts += 1
    await loadChecked(file, url, allow)
    return url === file.url ? first() : again(url)
  }
  return () => {
    loading ??= load()
    loading.catch(() => {
      loading = undefined
    })
    return loading
  }
}
