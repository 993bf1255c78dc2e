import { Fragment } from 'react'
import { useText } from '../../../element/i18n.ts'
import type { Key } from '../../../i18n/index.ts'
import { Button, Flex, Text } from '../../../ui/basics.ts'
import { Kbd } from '../../../ui/more.ts'
import { ModalDialog } from '../../../ui/overlay/modal-dialog.tsx'

/** A line of the dialog of keys: the keys, and what they do. */
export type Line = { keys: readonly string[]; label: Key }

/** Keys of the console itself, on every page. */
export const portalKeys: readonly Line[] = [
  { keys: ['g h'], label: 'list.keyHome' },
  { keys: ['g m'], label: 'list.keyMessages' },
  { keys: ['Ctrl+K'], label: 'list.keyPalette' },
]

/** Keys, and what each does. */
export const KeysDialog = ({ hint, lines, close }: { hint?: Key; lines: readonly Line[]; close: () => void }) => {
  const t = useText()
  return (
    <ModalDialog
      open
      onClose={close}
      title={t('list.keys')}
      description={hint && t(hint)}
      footer={<Button onClick={close}>{t('common.close')}</Button>}
    >
      <dl className="mk-keys">
        {lines.map(({ keys, label }) => (
          <Fragment key={label}>
            <dt>
              <Flex gap="1">
                {keys.map(key => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </Flex>
            </dt>
            <dd>
              <Text size="2">{t(label)}</Text>
            </dd>
          </Fragment>
        ))}
      </dl>
    </ModalDialog>
  )
}
