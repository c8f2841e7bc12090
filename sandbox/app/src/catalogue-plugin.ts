/** A plugin that opens prompts and reports work as other plugins do, so that the catalogue can show their views. */
import { definePlugin, type Kernel } from '@keybay/kernel'

declare module '@keybay/kernel' {
  interface KeybayPrompts {
    /** No UI has a view for it. */
    'catalogue-unknown': { readonly ask: object; readonly answer: undefined }
  }
}

export interface CatalogueApi {
  readonly ask: Kernel['prompt']
  readonly emit: Kernel['events']['emit']
}

export const catalogue = definePlugin({
  id: 'catalogue',
  version: '0.1.0',
  setup: ({ prompt, events: { emit } }): { readonly api: CatalogueApi } => ({ api: { ask: prompt, emit } }),
})
