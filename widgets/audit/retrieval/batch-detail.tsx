import { CallError } from '../../../core/client/errors.ts'
import { useClient, useRead } from '../../../core/client/providers.tsx'
import { retrieval } from '../../../core/contract/audit/retrieval.ts'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { copyValue } from '../../../core/element/copy.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useToast } from '../../../core/engine/form/use-act.ts'
import { Button, Flex } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'

const names = ['enteredNo', 'customerName', 'loanAmount', 'retrievalStatus', 'failReason', 'orderStatus']

/** Copies the numbers of a batch that were not retrieved, all of them. */
const CopyFailed = ({ batchNo }: { batchNo: string }) => {
  const t = useText()
  const client = useClient()
  const toast = useToast()
  const failed = { retrievalBatchNo: batchNo, retrievalStatus: ['failed' as const], pageSize: 100 as const }
  const copy = async (button: HTMLElement, { total, list }: OutputOf<typeof retrieval.items>) => {
    try {
      const numbers = list.map(one => one.enteredNo)
      for (let pageNum = 2; numbers.length < total; pageNum++) {
        const page = await client.call(retrieval.items, { ...failed, pageNum })
        if (page.list.length === 0) break
        numbers.push(...page.list.map(one => one.enteredNo))
      }
      await copyValue(button, [...new Set(numbers)].join(','), t.language)
    } catch (error) {
      toast.warn(error instanceof CallError ? error.message : t('common.noAnswer'))
    }
  }
  return (
    <Loaded read={useRead(retrieval.items, failed)} skeleton={null}>
      {first =>
        first.total > 0 && (
          <Flex>
            <Button variant="soft" size="1" onClick={event => void copy(event.currentTarget, first)}>
              {t('actions.copyFailed')} ({first.total})
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
        list={retrieval.items}
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
