namespace Wire.Transport;

/// <summary>A user's name and secret for <see cref="SaslMechanism.Plain"/>, and when the secret expires. Immutable.</summary>
/// <param name="UserName">The name; empty where the broker reads it from a token. Not null, and without NUL characters.</param>
/// <param name="Password">The password or token. Not null, and without NUL characters.</param>
/// <param name="ExpiresAt">The time from which on the broker does not take the secret any more; null where it does not expire.</param>
public sealed record BrokerCredentials(string UserName, string Password, DateTimeOffset? ExpiresAt = null)
{
    /// <summary>Names the user and the time; never the password.</summary>
    public override string ToString() => ExpiresAt is { } expiry ? $"user '{UserName}', until {expiry:u}" : $"user '{UserName}'";
}
