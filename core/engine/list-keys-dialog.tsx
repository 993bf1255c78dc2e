import { Fragment } from 'react'
import { useText } from '../element/i18n.ts'
import type { Key } from '../i18n/index.ts'
import { Button, Flex, Text } from '../ui/basics.ts'
import { ModalDialog } from '../ui/modal-dialog.tsx'
import { Kbd } from '../ui/more.ts'

type Line = { keys: readonly string[]; label: Key }

/** The keys of a list, and what each does; those of a list that cannot do it are left out. */
export const ListKeysDialog = ({
  filters,
  choosing,
  opening,
  close,
}: {
  filters: boolean
  choosing: boolean
  opening: boolean
  close: () => void
}) => {
  const t = useText()
  const lines: readonly Line[] = [
    ...(filters ? ([{ keys: ['/'], label: 'list.keyFilter' }] as const) : []),
    { keys: ['j', '↓', 'k', '↑'], label: 'list.keyMove' },
    { keys: ['Home', 'End'], label: 'list.keyEnds' },
    ...(choosing ? ([{ keys: ['x'], label: 'list.keyChoose' }] as const) : []),
    ...(opening ? ([{ keys: ['e', 'Enter'], label: 'list.keyOpen' }] as const) : []),
    { keys: ['r'], label: 'list.keyReload' },
    { keys: ['Ctrl+Enter'], label: 'list.keySubmit' },
    { keys: ['?'], label: 'list.keyHelp' },
  ]
  return (
    <ModalDialog
      open
      onClose={close}
      title={t('list.keys')}
      description={t('list.keysHint')}
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
