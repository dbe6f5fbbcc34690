namespace Wire.Equality;

/// <summary>The way to a value: the last step, as in a <see cref="Sessions.GraphPath"/>, and where it leads from.</summary>
internal sealed record Location(int Step, Location? Around);
