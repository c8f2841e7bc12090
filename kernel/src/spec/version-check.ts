/** S9.4. In a module of its own: the first chunk of a page has it, and chunks that load later have the other constants. */
export const VERSION_MISMATCH_CHECK_DELAY_MS = 100
