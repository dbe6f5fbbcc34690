using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Runtime;

namespace Wire.Compilation;

/// <summary>
/// The places of the parts of a union's values: the number of the case, and the fields of each. A value of a case is made as a copy of a
/// model, which the case's own constructor has made. All of it is found for the first value of a case.
/// </summary>
[RequiresDynamicCode(TrimmingAdvice.Inside)]
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal sealed class UnionLayout(UnionPlan plan)
{
    // Of a union whose cases have no class each, or are more than a few.
    private const string TagField = "_tag";

    private readonly object?[] _models = new object?[plan.Cases.Length];
    private Type?[]? _classes;
    private int _tag = FieldOffsets.Unknown;

    /// <summary>Returns the number of a value's case.</summary>
    /// <param name="value">The value; null for a variable of a value type.</param>
    /// <param name="fields">The first of its fields.</param>
    public int NumberOf(object? value, ref byte fields)
    {
        if (_tag == FieldOffsets.Unknown)
        {
            _tag = FindTag();
        }

        return _tag >= 0 ? Unsafe.As<byte, int>(ref Unsafe.AddByteOffset(ref fields, _tag))
            : plan.Cases.Length == 1 ? 0
            : Array.IndexOf(_classes ??= Classes(), value!.GetType());
    }

    /// <summary>Returns the number of the case of a value, which may be in a box.</summary>
    public int NumberOf(object value) => NumberOf(value, ref ObjectMemory.FieldsOf(value));

    /// <summary>
    /// Returns a value of a case with fields that are zero, of which others are copies; that of a case without fields is the only one.
    /// </summary>
    public object ModelOf(UnionCase union)
    {
        // Volatile: whoever sees a model sees the offsets that were found before it.
        ref object? model = ref _models[union.Number];
        if (Volatile.Read(ref model) is { } known)
        {
            return known;
        }

        object made = FindModel(union);
        Volatile.Write(ref model, made);
        return made;
    }

    /// <summary>Returns the fields of a case, whose places in its values are known.</summary>
    public WireMember[] FieldsOf(UnionCase union)
    {
        ModelOf(union);
        return union.Fields;
    }

    private object FindModel(UnionCase union)
    {
        object model = Make(union);
        FieldOffsets.Find(model.GetType(), union.Fields);
        return NumberOf(model) == union.Number
            ? model
            : throw new UnsupportedTypeException(plan.Type, $"its case {union.Name} is not known by its class or tag.");
    }

    private object Make(UnionCase union)
    {
        try
        {
            var arguments = new object?[union.Fields.Length];
            return union.Constructor.Invoke(null, BindingFlags.DoNotWrapExceptions, binder: null, arguments, culture: null)!;
        }
        catch (Exception e) when (!RuntimeFeature.IsDynamicCodeSupported && e is NotSupportedException or MissingMethodException)
        {
            throw ClosedTypes.Unseen(plan.Type, e, plan.Row);
        }
    }

    // Without a number, the classes have to tell the cases from each other.
    private Type?[] Classes()
    {
        Type?[] classes = Array.ConvertAll(plan.Cases, ClassOf);
        return !plan.Type.IsValueType && classes.Distinct().Count() == classes.Length
            ? classes
            : throw new UnsupportedTypeException(
                plan.Type, $"this runtime shows nothing that tells its cases from each other. {Advice.Replace(plan.Type)}");
    }

    private Type? ClassOf(UnionCase union) => union.IsNull ? null : Make(union).GetType();

    // The union itself may be abstract.
    private int FindTag() => plan.Type.GetField(TagField, MemberFinder.DeclaredInstance) is { } field && field.FieldType == typeof(int)
        ? FieldOffsets.OfNumber(Make(Array.Find(plan.Cases, union => !union.IsNull)!).GetType(), field)
        : FieldOffsets.None;
}
