import type { NextStep } from '../../core/contract/user/sign-in.ts'
import { useText } from '../../core/element/i18n.ts'
import { Button } from '../../core/ui/basics.ts'

/** What each step of a sign-in is given. */
export type StepProps = {
  challengeId: string
  next: (step: NextStep) => void
  /** To name and password, with the reason where there is one. */
  back: (why?: string) => void
}

/** Leaves the sign-in for name and password. */
export const Back = ({ back }: Pick<StepProps, 'back'>) => (
  <Button type="button" variant="ghost" color="gray" onClick={() => back()}>
    {useText()('login.back')}
  </Button>
)
