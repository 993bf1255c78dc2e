import { useRead } from '../../../core/client/providers.tsx'
import type { ConfigRow } from '../../../core/contract/config.ts'
import { type UnrenewedDay, unrenewed, type unrenewedRules } from '../../../core/contract/marketing/unrenewed.ts'
import { useText } from '../../../core/element/i18n.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Row = ConfigRow<typeof unrenewedRules>

const Blocks = ({ day }: { day: UnrenewedDay }) => {
  const t = useText()
  const said = day.blocks.map(one => `${dictText(t, 'MESSAGE_BLOCK_REASON', one.blockReason)} ${one.count}`)
  return said.join(', ') || '–'
}

/** What a rule would do today and on the next six days, as things stand now. */
export const Week = ({ row }: { row: Row }) => {
  const t = useText()
  const { configNo, merchantNos, loanKind, memberLevels, sendDays, maxOverdueDays, perCustomerMax } = row
  const rule = { configNo, merchantNos, loanKind, sendDays, maxOverdueDays, perCustomerMax }
  const read = useRead(unrenewed.preview, { ...rule, ...(memberLevels ? { memberLevels } : {}) })
  return (
    <Loaded read={read}>
      {({ list }) => (
        <>
          <Text as="p" size="2" color="gray" mb="2">
            {t('unrenewed.weekHint')}
          </Text>
          <SmallTable
            schema={unrenewed.preview.output.shape.list.element}
            rows={list}
            rowKey="businessDate"
            names={[
              'businessDate',
              'customersMatched',
              'recipientCount',
              'customersLeftOut',
              'blocks',
              'segmentsTotal',
              'costEstimate',
            ]}
            cells={{ blocks: day => <Blocks day={day} /> }}
            empty={t('unrenewed.noDays')}
          />
        </>
      )}
    </Loaded>
  )
}

/** What a rule did on each day, and who borrowed again. */
export const Runs = ({ configNo }: { configNo: string }) => {
  const t = useText()
  const read = useRead(unrenewed.runs, { configNo })
  return (
    <Loaded read={read}>
      {({ list }) => (
        <SmallTable
          schema={unrenewed.runs.output.shape.list.element}
          rows={list}
          rowKey="taskNo"
          names={[
            ...['businessDate', 'taskNo', 'smsTaskStatus', 'customersMatched', 'customersLeftOut', 'textsTaken'],
            ...['textsArrived', 'failedCount', 'textsUnknown', 'borrowedAgain'],
          ]}
          empty={t('unrenewed.noRuns')}
        />
      )}
    </Loaded>
  )
}
