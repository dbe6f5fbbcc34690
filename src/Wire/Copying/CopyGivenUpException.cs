namespace Wire.Copying;

/// <summary>Ends a copy without bytes in between; <see cref="Serializer.Clone{T}"/> makes the copy in the other way.</summary>
internal sealed class CopyGivenUpException() : Exception("A graph is copied by way of bytes.");
