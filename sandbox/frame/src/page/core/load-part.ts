import { frameError } from '../errors/errors.js'

/** Loads a part of the page. @throws KeybayError `frame_chain_unavailable`; the next call tries again */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw frameError('frame_chain_unavailable', { cause })
  }
}
