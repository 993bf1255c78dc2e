import { type Looked, retrieval } from '../../../core/contract/audit/retrieval.ts'
import { copyValue } from '../../../core/element/copy.ts'
import { useText } from '../../../core/element/i18n.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { Button, Flex, Text } from '../../../core/ui/basics.ts'
import { SmallTable } from '../../shared/small-table.tsx'

const names = ['enteredNo', 'merchantName', 'customerName', 'loanAmount', 'orderStatus', 'failReason', 'removed']

/** The numbers of a preview with what stands against each; any may be taken away, and the failed ones copied. */
export const PreviewTable = ({ list, remove }: { list: readonly Looked[]; remove: (enteredNo: string) => void }) => {
  const t = useText()
  const failed = [...new Set(list.filter(one => one.failReason).map(one => one.enteredNo))]
  const rows = list.map((one, place) => ({ ...one, place: String(place) }))
  return (
    <Flex direction="column" gap="2">
      {failed.length > 0 && (
        <Flex>
          <Button
            size="1"
            variant="soft"
            onClick={event => void copyValue(event.currentTarget, failed.join(','), t.language)}
          >
            {t('actions.copyFailed')} ({failed.length})
          </Button>
        </Flex>
      )}
      <SmallTable
        schema={retrieval.preview.output.shape.list.element}
        rows={rows}
        rowKey="place"
        names={names}
        headers={{ removed: '' }}
        quiet={one => one.failReason !== null}
        cells={{
          failReason: one =>
            one.failReason && (
              <Text color="red" size="1">
                {dictText(t, 'RETRIEVAL_FAIL', one.failReason)}
              </Text>
            ),
          removed: one => (
            <Button
              size="1"
              variant="ghost"
              color="gray"
              aria-label={t('retrieval.remove', { no: one.enteredNo })}
              onClick={() => remove(one.enteredNo)}
            >
              ×
            </Button>
          ),
        }}
        empty={t('retrieval.noLines')}
      />
    </Flex>
  )
}
