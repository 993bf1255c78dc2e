-- Jobs that wait keep their queue when it is renamed.
update job set queue = 'attempt.callback' where queue = 'attempt.told';
update job set queue = 'bank.outcome' where queue = 'bank.told';
