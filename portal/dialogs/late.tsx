import { type ComponentProps, use } from 'react'
import { Late } from '../../core/element/late.ts'
import { loadOnce } from '../../core/element/load-once.ts'

const load = async () => {
  const [{ Shell }, { ModalDialog }] = await Promise.all([
    import('../shell/shell.tsx'),
    import('../../core/ui/overlay/modal-dialog.tsx'),
  ])
  return { Shell, ModalDialog }
}
type Parts = Awaited<ReturnType<typeof load>>

const parts = new Late<Parts>(load)
const wanted = new Map<typeof parts, Promise<Parts>>()
const useParts = () => parts.arrived ?? use(loadOnce(wanted, parts, parts.fetch))

/** Fetch beforehand what nobody sees before they are signed in: at once, or when the screen on the page has had its time. */
export const { warm, plan } = parts

/** Header, menu and the page; fetched apart from the sign-in. */
export const Shell = (props: ComponentProps<Parts['Shell']>) => {
  const Part = useParts().Shell
  return <Part {...props} />
}

/** The dialog of `core/ui`, fetched with the shell. */
export const ModalDialog = (props: ComponentProps<Parts['ModalDialog']>) => {
  const Part = useParts().ModalDialog
  return <Part {...props} />
}
