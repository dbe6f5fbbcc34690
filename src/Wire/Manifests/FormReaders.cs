using Wire.Errors;
using Wire.Runtime;
using Wire.Types;

namespace Wire.Manifests;

/// <summary>
/// The readers of a manifest that names a collection, by the types of the variables that hold it: a list is read into a variable of an
/// array type as an array. Thread-safe.
/// </summary>
internal sealed class FormReaders(Manifest manifest, TypeRegistry registry)
{
    // The variables of a program that hold one collection have few types.
    private const int MaxKnown = 16;

    private Known[] _known = [];

    /// <summary>Finds the reader of the values for a variable.</summary>
    /// <param name="named">The reader of the named type, which the filter has allowed.</param>
    /// <param name="variable">The type of the variable, or the one that the caller asked for.</param>
    /// <param name="isRoot">True if nothing declares the variable; its caller checks what it gets.</param>
    /// <param name="keeps">True if no type that can be unloaded takes part.</param>
    /// <returns>The reader of the named type where its values fit, and where they do not convert.</returns>
    /// <exception cref="WireFormatException">The values do not convert.</exception>
    public ValueSerializer Find(ValueSerializer named, Type variable, bool isRoot, bool keeps)
    {
        if (ReferenceEquals(named.Type, variable) || variable == typeof(object))
        {
            return named;
        }

        Known[] all = _known;
        foreach (Known known in all)
        {
            if (ReferenceEquals(known.Variable, variable) && ReferenceEquals(known.Named, named) && known.IsRoot == isRoot)
            {
                return known.Serializer;
            }
        }

        ValueSerializer serializer = Make(named, variable, isRoot);
        if (keeps && !variable.IsCollectible && !named.Type.IsCollectible)
        {
            _known = [.. all.Length < MaxKnown ? all : [], new Known(named, variable, isRoot, serializer)];
        }

        return serializer;
    }

    private ValueSerializer Make(ValueSerializer named, Type variable, bool isRoot)
    {
        if (ArrayVariance.Fits(variable, named.Type) || manifest.Schema is not { } schema || !registry.Options.VersionTolerance)
        {
            return named;
        }

        if (registry.Form(variable, schema) is not { } form)
        {
            return isRoot ? named : throw CollectionErrors.NoForm(named.Type, variable);
        }

        ValueSerializer serializer;
        SchemaDifference? difference;
        try
        {
            serializer = manifest.Adapt(form, out difference, isForm: true);
        }
        catch (WireFormatException e) when (e.Error == WireFormatError.SchemaMismatch)
        {
            throw CollectionErrors.NoConversion(named.Type, variable, e);
        }

        manifest.Report(difference);
        return serializer;
    }

    private sealed record Known(ValueSerializer Named, Type Variable, bool IsRoot, ValueSerializer Serializer);
}
