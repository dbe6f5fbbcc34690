namespace Wire.Testing;

/// <summary>How long a test waits for what has to happen: so long that only what never happens is too late.</summary>
public static class Patience
{
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(90);

    public static Task InTime(this Task task) => task.WaitAsync(Limit);

    public static Task<T> InTime<T>(this Task<T> task) => task.WaitAsync(Limit);
}
