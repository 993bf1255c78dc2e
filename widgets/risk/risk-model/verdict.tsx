import { useText } from '../../../core/element/i18n.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { Badge, Text } from '../../../core/ui/basics.ts'

export const psiColours = { stable: 'green', look: 'amber', act: 'red' } as const

/** The stability index in the colour of its verdict. */
export const Psi = ({ psi, verdict }: { psi: string | null; verdict: keyof typeof psiColours | null }) => {
  const t = useText()
  if (psi === null || verdict === null) return <Text color="gray">–</Text>
  return (
    <Badge color={psiColours[verdict]} title={dictText(t, 'PSI_VERDICT', verdict)}>
      {psi}
    </Badge>
  )
}
