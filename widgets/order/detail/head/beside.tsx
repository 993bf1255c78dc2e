import { orderPath } from '../../../../core/contract/pages.ts'
import { useHost } from '../../../../core/element/context.ts'
import { useText } from '../../../../core/element/i18n.ts'
import { neighboursOf } from '../../../../core/element/neighbours.ts'
import { Flex, IconButton, Text } from '../../../../core/ui/basics.ts'
import { Icon } from '../../../../core/ui/icons.tsx'

/** On to the order before or after this one in the list that it was opened from; the tab in sight stays. */
export const Beside = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  const host = useHost()
  const beside = neighboursOf(orderNo)
  if (!beside) return null
  const { from, filters } = host.props
  const tab = filters?.tab
  const go = (to: string) => {
    const query = { orderNo: to, ...(from ? { from } : {}), ...(typeof tab === 'string' ? { tab } : {}) }
    host.emit('mkopo-navigate', { to: orderPath, query, target: 'same' })
  }
  const step = (to: string | undefined, name: 'before' | 'after') => (
    <IconButton
      variant="soft"
      color="gray"
      disabled={!to}
      aria-label={t(`order.${name}`)}
      title={t(`order.${name}`)}
      onClick={() => to && go(to)}
    >
      <Icon name={name === 'before' ? 'chevronLeft' : 'chevronRight'} />
    </IconButton>
  )
  return (
    <Flex gap="1" align="center">
      {step(beside.before, 'before')}
      <Text size="1" color="gray">
        {beside.place}/{beside.count}
      </Text>
      {step(beside.after, 'after')}
    </Flex>
  )
}
