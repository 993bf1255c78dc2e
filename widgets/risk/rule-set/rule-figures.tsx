import { useRead } from '../../../core/client/providers.tsx'
import type { ConfigRow } from '../../../core/contract/config.ts'
import { type RuleFigure, ruleSet, type ruleSets } from '../../../core/contract/risk/rule-set.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Badge, Text } from '../../../core/ui/basics.ts'
import { ruleName } from '../../shared/decision/rule-name.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const names = ['ruleNo', 'ruleAction', 'ruleMode', 'onMissing', 'asked7', 'hits7', 'onlyReason', 'unknown7', 'lastHit']
/** From this share on a rule that cannot tell is a fault of its facts. */
const manyUnknown = 0.05

const Share = ({ of, count }: { of: RuleFigure; count: number }) => {
  const share = of.asked7 ? count / of.asked7 : 0
  return `${count}${of.asked7 ? ` (${(100 * share).toFixed(1)} %)` : ''}`
}

/** The rules in force of a set, with what they found in the last seven days. */
export const RuleFigures = ({ row }: { row: ConfigRow<typeof ruleSets> }) => {
  const t = useText()
  const read = useRead(ruleSet.figures, { ruleSetNo: row.ruleSetNo })
  return (
    <Loaded read={read}>
      {({ list }) => (
        <SmallTable
          schema={ruleSet.figures.output.shape.list.element}
          rows={list}
          rowKey="ruleNo"
          names={names}
          empty={t('ruleSet.noRules')}
          label={t('ruleSet.rules')}
          cells={{
            ruleNo: rule => (
              <>
                <strong>{rule.ruleNo}</strong> {ruleName(rule, t.language)}
                <Text as="p" size="1">
                  <code>{rule.expression}</code> {rule.refuseCode && <Badge color="gray">{rule.refuseCode}</Badge>}
                </Text>
              </>
            ),
            hits7: rule => <Share of={rule} count={rule.hits7} />,
            unknown7: rule => (
              <Text color={rule.unknown7 > manyUnknown * rule.asked7 ? 'red' : undefined}>
                <Share of={rule} count={rule.unknown7} />
              </Text>
            ),
          }}
        />
      )}
    </Loaded>
  )
}
