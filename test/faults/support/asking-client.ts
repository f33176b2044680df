/** A client that asks an API all the time: its answers are right, or there is none while it is down. */

export interface AskingClient {
  /** From now on nothing need be answered. */
  down(): void;
  /** From now on everything must be. */
  up(): void;
  /** Ends it. @throws the first answer that was wrong, or missing while the API was up. */
  end(): Promise<{ answers: number; refused: number }>;
}

const PAUSE_MS = 20;

/** @param isRight Of the status and the body of an answer. */
export function askAllTheTime(
  questions: readonly string[],
  headers: Record<string, string>,
  isRight: (question: string, status: number, body: string) => boolean,
): AskingClient {
  const told = { answers: 0, refused: 0 };
  let isUp = true;
  /** Counts the times it went down: what was asked before is not answered either. */
  let downs = 0;
  let isEnded = false;
  const ask = async (question: string) => {
    const before = downs;
    const wasUp = isUp;
    let status: number;
    let body: string;
    try {
      const answer = await fetch(question, { headers });
      status = answer.status;
      body = await answer.text();
    } catch (error) {
      if (wasUp && downs === before) throw new Error(`${question}: no answer`, { cause: error });
      told.refused++;
      return;
    }
    if (!isRight(question, status, body)) throw new Error(`${question}: ${status} ${body}`);
    told.answers++;
  };
  const asking = (async () => {
    for (let i = 0; !isEnded; i++) {
      await ask(questions[i % questions.length]);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  })();
  // It is told by `end`.
  asking.catch(() => undefined);
  return {
    down() {
      isUp = false;
      downs++;
    },
    up() {
      isUp = true;
    },
    async end() {
      isEnded = true;
      await asking;
      return told;
    },
  };
}
