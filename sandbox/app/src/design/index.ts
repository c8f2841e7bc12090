/** Components and helpers that all pages share. */
export * from '@keybay/react/ui'
export * from './download.js'
export * from './format.js'
export * from './output.js'
export * from './page.js'
export * from './page-loading.js'
