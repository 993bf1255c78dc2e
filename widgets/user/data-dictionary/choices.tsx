import { type ComponentType, type ReactNode, useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { common } from '../../../core/contract/common/common.ts'
import { useText } from '../../../core/element/i18n.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Flex, Text } from '../../../core/ui/basics.ts'
import { Select } from '../../../core/ui/choose/select.tsx'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'

/** The dictionary whose two levels are regions and districts. */
const addressType = 'UG_DISTRICT'

type Option = { value: string; label: string }

const OneOf = ({
  label,
  list,
  value,
  choose,
}: {
  label: string
  list: readonly Option[]
  value: string
  choose: (value: string) => void
}) => (
  <Flex direction="column" gap="1" flexGrow="1">
    <Text size="2" weight="medium">
      {label}
    </Text>
    <Select.Root value={value} onValueChange={choose}>
      <Select.Trigger aria-label={label} />
      <Select.Content>
        {list.map(one => (
          <Select.Item key={one.value} value={one.value}>
            {one.label}
          </Select.Item>
        ))}
      </Select.Content>
    </Select.Root>
  </Flex>
)

/** The first level, and the second of what is chosen there. */
const Levels = ({ first, below }: { first: readonly Option[]; below: (chosen: string) => ReactNode }) => {
  const t = useText()
  const [chosen, choose] = useState(first[0]?.value ?? '')
  if (first.length === 0) return <Text color="gray">{t('common.emptyList')}</Text>
  return (
    <Flex gap="3">
      <OneOf label={t('dictionary.firstLevel')} list={first} value={chosen} choose={choose} />
      {below(chosen)}
    </Flex>
  )
}

const Below = ({ list }: { list: readonly Option[] }) => {
  const t = useText()
  const [value, choose] = useState('')
  if (list.length === 0) return null
  return <OneOf label={t('dictionary.secondLevel')} list={list} value={value} choose={choose} />
}

const Cascade = ({ dictType }: { dictType: string }) => (
  <Loaded read={useRead(common.cascade, { KEY: dictType })}>
    {({ list }) => {
      const open = list.filter(one => one.enabled)
      return (
        <Levels
          first={open}
          below={chosen => (
            <Below
              key={chosen}
              list={(open.find(one => one.value === chosen)?.childList ?? []).filter(one => one.enabled)}
            />
          )}
        />
      )
    }}
  </Loaded>
)

const Districts = ({ parent }: { parent: string }) => (
  <Loaded read={useRead(common.addresses, { parent })}>{({ list }) => <Below list={list} />}</Loaded>
)

const Addresses = () => (
  <Loaded read={useRead(common.addresses, {})}>
    {({ list }) => <Levels first={list} below={chosen => <Districts key={chosen} parent={chosen} />} />}
  </Loaded>
)

/** What forms offer of a dictionary, level by level, in the words in force. */
export const choicesOf =
  (dictType: string): ComponentType<DialogProps<never>> =>
  ({ close }) => {
    const t = useText()
    return (
      <ModalDialog
        open
        onClose={() => close()}
        title={t('dictionary.choices')}
        description={t('dictionary.choicesHint')}
        footer={<DialogCancel />}
      >
        {dictType === addressType ? <Addresses /> : <Cascade dictType={dictType} />}
      </ModalDialog>
    )
  }
