function open(database: string, store: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(store)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('IndexedDB is blocked by another tab'))
  })
}

/** `IDBObjectStore`, but declared without the name, so that servers can type-check without the DOM's types. */
type ObjectStore = typeof globalThis extends { IDBObjectStore: { prototype: infer Store } } ? Store : unknown

/**
 * Runs one transaction on an IndexedDB database with a single object store, which all tabs of an origin share.
 * @param act makes requests, and returns the one whose result counts; a transaction does not wait for promises
 * @returns that result, once everything is stored
 * @throws DOMException where the browser stores nothing
 */
export async function inStore<T>(
  database: string,
  store: string,
  act: (store: ObjectStore) => { readonly result: T },
): Promise<T> {
  const opened = await open(database, store)
  try {
    return await new Promise((resolve, reject) => {
      const transaction = opened.transaction(store, 'readwrite')
      const request = act(transaction.objectStore(store))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onerror = () => reject(transaction.error)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    opened.close()
  }
}
