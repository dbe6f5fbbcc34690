namespace Wire;

/// <summary>
/// A condition about a payload that has not been read, such as one over a <see cref="PayloadPath{T}"/>: consumers ask it about each message
/// before they read it. Called from any thread.
/// </summary>
/// <param name="payload">The payload, which is valid until the condition returns.</param>
/// <returns>Whether it is met.</returns>
/// <example>
/// <code>
/// PayloadPath&lt;decimal> total = serializer.Path&lt;decimal>("Total");
/// PayloadCondition isLarge = payload => total.TryRead(payload, out decimal value) &amp;&amp; value >= 1000;
/// </code>
/// </example>
public delegate bool PayloadCondition(ReadOnlySpan<byte> payload);
