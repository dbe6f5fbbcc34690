using System.Runtime.CompilerServices;

namespace Wire.Manifests;

/// <summary>The types whose differences from one schema the program has been told. Keeps no type alive. Thread-safe.</summary>
internal sealed class ReportedDifferences
{
    private ConditionalWeakTable<Type, ReportedDifferences>? _types;

    /// <summary>
    /// Tells the program, unless it has been told or is being told. That is the program's code, and runs outside of all locks: another
    /// thread may read values of the schema meanwhile. A callback that has thrown has not been told.
    /// </summary>
    public void Report(Action<SchemaDifference> callback, SchemaDifference difference)
    {
        ConditionalWeakTable<Type, ReportedDifferences> types = LazyInitializer.EnsureInitialized(ref _types, static () => []);
        if (!types.TryAdd(difference.Type, this))
        {
            return;
        }

        bool isDone = false;
        try
        {
            callback(difference);
            isDone = true;
        }
        finally
        {
            if (!isDone)
            {
                types.Remove(difference.Type);
            }
        }
    }
}
