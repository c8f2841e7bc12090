export const path: string = 'M2 3h20l-3 18H5zm7 6l1 7h4l1-7z'
