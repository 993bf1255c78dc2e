import { KeysDialog, portalKeys } from '../../../core/engine/list/keys/keys-dialog.tsx'

/** The keys of the console, on pages that have none of their own. */
export const PortalKeys = ({ close }: { close: () => void }) => (
  <KeysDialog lines={[...portalKeys, { keys: ['?'], label: 'list.keyHelp' }]} close={close} />
)
