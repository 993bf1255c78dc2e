import { useHost } from '../../../element/context.ts'
import { KeysDialog, type Line, portalKeys } from './keys-dialog.tsx'

type Props = {
  filters: boolean
  choosing: boolean
  opening: boolean
  drawer: boolean
  acknowledging: boolean
  close: () => void
}

/** Whether this list is part of the console, whose own keys work then. */
const inConsole = (element: HTMLElement) => {
  const root = element.getRootNode()
  return root instanceof ShadowRoot && root.host.localName === 'mkopo-portal'
}

/** The keys of a list, and what each does; those of a list that cannot do it are left out. */
export const ListKeysDialog = ({ filters, choosing, opening, drawer, acknowledging, close }: Props) => {
  const { element } = useHost()
  const lines: readonly (Line | false)[] = [
    filters && { keys: ['f', '/'], label: 'list.keyFilter' },
    { keys: ['j', '↓', 'k', '↑'], label: 'list.keyMove' },
    { keys: ['Home', 'End'], label: 'list.keyEnds' },
    choosing && { keys: ['x'], label: 'list.keyChoose' },
    opening && { keys: ['e', 'Enter'], label: 'list.keyOpen' },
    opening && { keys: ['Ctrl+Enter'], label: 'list.keyOpenNew' },
    acknowledging && { keys: ['a'], label: 'list.keyAcknowledge' },
    drawer && { keys: ['[', ']'], label: 'list.keyNeighbour' },
    { keys: ['c'], label: 'list.keyCopy' },
    { keys: ['r'], label: 'list.keyReload' },
    { keys: ['Ctrl+Enter'], label: 'list.keySubmit' },
    ...(inConsole(element) ? portalKeys : []),
    { keys: ['?'], label: 'list.keyHelp' },
  ]
  return <KeysDialog hint="list.keysHint" lines={lines.filter(line => line !== false)} close={close} />
}
