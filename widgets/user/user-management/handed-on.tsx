import type { PersonRow } from '../../../core/contract/user/people.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Callout } from '../../../core/ui/basics.ts'

/** The promotion channels of people who go, and who takes them. */
export const HandedOn = ({ rows }: { rows: readonly PersonRow[] }) => {
  const t = useText()
  const handing = rows.filter(row => row.handsOver.length > 0)
  if (handing.length === 0) return null
  return (
    <Callout.Root color="amber" size="1" role="note">
      <ul className="mk-refused">
        {handing.map(({ userNo, realName, handsOver, heirName }) => (
          <li key={userNo}>
            {t(heirName ? 'people.handsOver' : 'people.handsOverNobody', {
              realName,
              channels: handsOver.join(', '),
              heirName: heirName ?? '',
            })}
          </li>
        ))}
      </ul>
    </Callout.Root>
  )
}
