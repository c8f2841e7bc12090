export const path: string = 'M12 21L2 14 5 3l3 7h8l3-7 3 11z'
