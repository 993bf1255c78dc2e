import { type ComponentProps, use } from 'react'
import { Late } from '../../core/element/late.ts'
import { loadOnce } from '../../core/element/load-once.ts'

const shell = new Late(async () => (await import('../shell/shell.tsx')).Shell)
const modal = new Late(async () => (await import('../../core/ui/overlay/modal-dialog.tsx')).ModalDialog)

const wanted = new Map<unknown, Promise<unknown>>()
const usePart = <T,>(part: Late<T>): T => part.arrived ?? use(loadOnce(wanted, part, part.fetch) as Promise<T>)

/** Fetches the shell at once: somebody is signed in already. */
export const { warm } = shell
/** Fetch beforehand what the page will need, once the screen on it has had its time. */
export const plan = () => {
  shell.plan()
  modal.plan()
}

/** Header, menu and the page; fetched apart from the sign-in. */
export const Shell = (props: ComponentProps<NonNullable<typeof shell.arrived>>) => {
  const Part = usePart(shell)
  return <Part {...props} />
}

/** The dialog of `core/ui`, fetched when it is shown, or some time after the page. */
export const ModalDialog = (props: ComponentProps<NonNullable<typeof modal.arrived>>) => {
  const Part = usePart(modal)
  return <Part {...props} />
}
