namespace Actors;

/// <summary>A message on its way.</summary>
/// <param name="Target">Who gets it.</param>
/// <param name="Sender">Who gets the answer, if anyone does.</param>
/// <param name="Body">The message.</param>
internal sealed record Envelope(ActorRef Target, ActorRef? Sender, Message Body);
