import { useRead } from '../../../core/client/providers.tsx'
import type { ConfigRow } from '../../../core/contract/config.ts'
import { riskModel, type riskModels } from '../../../core/contract/risk/risk-model.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Row = ConfigRow<typeof riskModels>
const names = ['fact', 'binFrom', 'binTo', 'binValue', 'points', 'binShare', 'knownCount', 'badRate']

/** The rows of a card, with what the last scores show of each. */
export const Card = ({ row }: { row: Row }) => {
  const t = useText()
  const read = useRead(riskModel.card, { modelVersionNo: row.modelVersionNo })
  return (
    <Loaded read={read}>
      {({ list, sampleCount, factKeys }) =>
        list.length === 0 ? (
          <Text as="p" size="2">
            {t('riskModel.noCard', { facts: factKeys.join(', ') })}
          </Text>
        ) : (
          <>
            <Text as="p" size="1" color="gray" mb="2">
              {t('riskModel.cardSample', { n: sampleCount })}
            </Text>
            <SmallTable
              schema={riskModel.card.output.shape.list.element}
              rows={list}
              rowKey="binNo"
              names={names}
              empty=""
              label={t('riskModel.card')}
              cells={{
                binFrom: ({ binFrom }) => binFrom ?? '',
                binTo: ({ binTo }) => binTo ?? '',
                binValue: ({ binFrom, binTo, binValue }) =>
                  binValue ?? (binFrom === undefined && binTo === undefined ? t('riskModel.missingBin') : ''),
              }}
            />
          </>
        )
      }
    </Loaded>
  )
}
