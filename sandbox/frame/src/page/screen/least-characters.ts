/** Minimum length of a password. */
export const LEAST_CHARACTERS = 8
