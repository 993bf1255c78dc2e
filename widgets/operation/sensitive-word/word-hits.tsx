import { useRead } from '../../../core/client/providers.tsx'
import { type HitRow, sensitiveWord } from '../../../core/contract/operation/sensitive-word.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Section } from '../../../core/engine/drawer/facts.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { MarkedText } from './marked-text.tsx'

const { shape } = sensitiveWord.hitSums.output

/** When a word was written, by whom, and what stood around it. */
export const WordHits = ({ wordNo }: { wordNo: string }) => {
  const t = useText()
  const sums = useRead(sensitiveWord.hitSums, { wordNo })
  const empty = t('sensitiveWord.noHits')
  return (
    <>
      <Loaded read={sums}>
        {({ days, people }) => (
          <>
            <Section title={t('sensitiveWord.byPerson')}>
              <SmallTable
                schema={shape.people.element}
                rows={people}
                rowKey="userNo"
                names={['realName', 'count']}
                empty={empty}
              />
            </Section>
            <Section title={t('sensitiveWord.byDay')}>
              <SmallTable
                schema={shape.days.element}
                rows={days}
                rowKey="date"
                names={['date', 'count']}
                empty={empty}
              />
            </Section>
          </>
        )}
      </Loaded>
      <Section title={t('sensitiveWord.written')}>
        <PagedTable
          list={sensitiveWord.hits}
          filters={{ wordNo }}
          size={10}
          batch={10}
          rowKey="hitNo"
          names={['hitTime', 'realName', 'scope', 'hitText', 'wordAction']}
          empty={empty}
          cells={{ hitText: row => <MarkedText row={row as unknown as HitRow} /> }}
        />
      </Section>
    </>
  )
}
