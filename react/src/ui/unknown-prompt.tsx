/** Finds prompts that no UI on the page shows: without a view the user would wait for nothing. */
import type { Core, Prompt, PromptType } from '@keybay/kernel'
import { type ReactElement, useEffect, useId, useState, useSyncExternalStore } from 'react'
import { useKeybay } from '../context.js'
import { usePrompts } from '../stores.js'
import { Button } from './button.js'
import { DialogHead } from './dialog-head.js'
import { ui } from './locales/en/ui.js'
import { useMessages } from './messages.js'
import { Modal } from './modal.js'

interface Views {
  /** Types with a view, once for each UI that shows them. */
  readonly types: string[]
  /** The first one shows what has no view. */
  readonly fallbacks: string[]
  readonly warned: Set<string>
  readonly listeners: Set<() => void>
}
const views = new WeakMap<Core['prompts'], Views>()

function getViews(prompts: Core['prompts']): Views {
  const known = views.get(prompts) ?? { types: [], fallbacks: [], warned: new Set(), listeners: new Set() }
  views.set(prompts, known)
  return known
}

function add(list: string[], items: readonly string[], { listeners }: Views): () => void {
  const notify = () => {
    for (const listener of listeners) listener()
  }
  list.push(...items)
  notify()
  return () => {
    for (const item of items) list.splice(list.indexOf(item), 1)
    notify()
  }
}

/**
 * Tells the kit that this component shows the prompts of these types. For UI that reads `usePrompts` itself: the prompts are
 * then not treated as unknown.
 *
 * @example useShowsPrompts(['choice'])
 */
export function useShowsPrompts(types: readonly PromptType[]): void {
  const { prompts } = useKeybay()
  const key = types.join(' ')
  useEffect(() => {
    const known = getViews(prompts)
    return add(known.types, key.split(' '), known)
  }, [prompts, key])
}

function subscribeTo(prompts: Core['prompts']) {
  return (listener: () => void) => {
    const { listeners } = getViews(prompts)
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
}

/** Returns the first prompt without a view, if this component is the one to show it. */
function useUnknownPrompt(id: string): Prompt | undefined {
  const { prompts, logger } = useKeybay()
  const open = usePrompts()
  const [subscribe] = useState(() => subscribeTo(prompts))
  const [settled, setSettled] = useState<readonly Prompt[]>()
  useEffect(() => {
    const known = getViews(prompts)
    return add(known.fallbacks, [id], known)
  }, [prompts, id])
  // Later, because UI that mounts together with this component registers its types in an effect.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(open))
    return () => clearTimeout(timer)
  }, [open])
  const find = () => {
    const { types, fallbacks } = getViews(prompts)
    return fallbacks[0] === id ? settled?.find(({ type }) => !types.includes(type)) : undefined
  }
  const unknown = useSyncExternalStore(subscribe, find, () => undefined)
  const type = unknown?.type
  useEffect(() => {
    const { warned } = getViews(prompts)
    if (type === undefined || warned.has(type)) return
    warned.add(type)
    logger.warn(
      `No UI on this page shows the prompt “${type}”. Give PromptDialog a view for it, or render the UI of its plugin.`,
    )
  }, [type, prompts, logger])
  return unknown && open.includes(unknown) ? unknown : undefined
}

/**
 * A dialog for prompts that no UI on the page shows: says so, and declines when it is closed. `PromptDialog` has it.
 *
 * @example <UnknownPromptDialog />
 */
export function UnknownPromptDialog(): ReactElement {
  const id = useId()
  const prompt = useUnknownPrompt(id)
  const { text } = useMessages(ui)
  return (
    <Modal open={prompt !== undefined} onClose={() => prompt?.cancel()} labelledBy={id}>
      {prompt && (
        <>
          <DialogHead id={id} title={text('promptUnknown')} />
          <p>{text('promptUnknownText', { type: prompt.type })}</p>
          <Button kind="primary" wide text={text('close')} onClick={() => prompt.cancel()} />
        </>
      )}
    </Modal>
  )
}
