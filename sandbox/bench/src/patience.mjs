/** Adds a time limit to promises. */

/**
 * @template T
 * @param {string} what name of the work in the error
 * @param {number} ms
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 * @throws Error when the work takes longer
 */
export async function within(what, ms, work) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  /** @type {Promise<never>} */
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms / 1000} s`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
