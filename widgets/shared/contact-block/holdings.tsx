import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { contactBlock } from '../../../core/contract/merchant/contact-block.ts'
import { useText } from '../../../core/element/i18n.ts'
import { SmallTable } from '../small-table.tsx'

type Holding = OutputOf<typeof contactBlock.lookup>['list'][number]

/** Every list that a number is on. */
export const Holdings = ({ list }: { list: readonly Holding[] }) => {
  const t = useText()
  return (
    <SmallTable
      schema={contactBlock.lookup.output.shape.list.element}
      rows={list}
      rowKey="holdingNo"
      names={['book', 'blockScope', 'merchantName', 'createdByName', 'createdTime', 'expireTime', 'blockStatus']}
      empty={t('contactBlock.onNone')}
      label={t('contactBlock.lists')}
      cells={{
        merchantName: row => row.merchantName ?? t('config.forAll'),
      }}
    />
  )
}
