import { useRead } from '../../../core/client/providers.tsx'
import { ruleSet } from '../../../core/contract/risk/rule-set.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const names = ['fact', 'factType', 'factUnit', 'missingShare', 'least', 'median', 'most', 'top']

/** What rules may look at, and how it looked in the last seven days. */
export const FactList = () => {
  const t = useText()
  const read = useRead(ruleSet.factList, {})
  return (
    <Loaded read={read}>
      {({ list }) => (
        <SmallTable
          schema={ruleSet.factList.output.shape.list.element}
          rows={list}
          rowKey="fact"
          names={names}
          empty=""
          label={t('ruleSet.facts')}
          cells={{
            fact: row => (
              <>
                <code>{row.fact}</code> {t.maybe(`ruleFact.${row.fact}`)}
              </>
            ),
            top: row => row.top.join(', ') || '–',
          }}
        />
      )}
    </Loaded>
  )
}
