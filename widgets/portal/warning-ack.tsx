import { useEffect, useRef, useState } from 'react'
import type { Results } from '../../core/contract/endpoint.ts'
import { type WarningRow, warning } from '../../core/contract/portal/warning.ts'
import { RefusedRows } from '../../core/engine/form/refused-rows.tsx'
import { useCommand } from '../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../core/engine/screen.ts'

/** Takes warnings on at once; only those that somebody else was quicker with are spoken of. */
export const AckDialog = ({ rows, close }: DialogProps<WarningRow>) => {
  const { send } = useCommand()
  const begun = useRef(false)
  const [refused, setRefused] = useState<Results | null>(null)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    const warningNos = rows.map(row => row.warningNo)
    void send(warning.ack, { warningNos }, { ids: warningNos }).then(outcome => {
      if (outcome.is === 'done' && outcome.answer.fail) setRefused(outcome.answer)
      else close(outcome.is === 'done')
    })
  })
  return refused && <RefusedRows results={refused} close={() => close(true)} />
}
