import { useRead } from '../../../core/client/providers.tsx'
import { retrieval } from '../../../core/contract/audit/retrieval.ts'
import { copyValue } from '../../../core/element/copy.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Button, Flex } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'

const names = ['enteredNo', 'customerName', 'loanAmount', 'retrievalStatus', 'failReason', 'orderStatus']

/** Copies the numbers of a batch that were not retrieved. */
const CopyFailed = ({ batchNo }: { batchNo: string }) => {
  const t = useText()
  const failed = { retrievalBatchNo: batchNo, retrievalStatus: ['failed' as const], pageSize: 100 as const }
  return (
    <Loaded read={useRead(retrieval.items, failed)} skeleton={null}>
      {({ list }) =>
        list.length > 0 && (
          <Flex>
            <Button
              variant="soft"
              size="1"
              onClick={event =>
                void copyValue(event.currentTarget, list.map(one => one.enteredNo).join(','), t.language)
              }
            >
              {t('actions.copyFailed')} ({list.length})
            </Button>
          </Flex>
        )
      }
    </Loaded>
  )
}

/** The lines of a batch and what became of each. */
export const BatchDetail = ({ batchNo }: { batchNo: string }) => {
  const t = useText()
  return (
    <>
      <CopyFailed batchNo={batchNo} />
      <PagedTable
        list={retrieval.items as never}
        filters={{ retrievalBatchNo: batchNo }}
        size={20}
        batch={20}
        rowKey="retrievalNo"
        names={names}
        empty={t('retrieval.noLines')}
      />
    </>
  )
}
