/** @throws Error with the message, when `answer` is not there in time */
export function inTime<T>(answer: Promise<T>, milliseconds: number, message: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), milliseconds)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
