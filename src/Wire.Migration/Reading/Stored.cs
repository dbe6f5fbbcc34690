using System.Formats.Nrbf;
using Wire.Errors;
using Wire.Runtime;

namespace Wire.Migration.Reading;

/// <summary>
/// The members of a record that belong to one class: private fields of a base class have its name in front, and what a class wrote itself
/// has its names alone.
/// </summary>
/// <param name="record">The record.</param>
/// <param name="type">The class.</param>
internal readonly struct Stored(ClassRecord record, Type type)
{
    /// <summary>Gets the class.</summary>
    public Type Type => type;

    /// <summary>Returns a member as the decoder has it; null where it is null or missing.</summary>
    public object? this[string name]
    {
        get
        {
            foreach (Type level in type.WithBases())
            {
                string full = $"{level.Name}+{name}";
                if (record.HasMember(full) || (full = LongName(level, name)!) is not null)
                {
                    return record.GetRawValue(full);
                }
            }

            return record.HasMember(name) ? record.GetRawValue(name) : null;
        }
    }

    /// <summary>Returns a number.</summary>
    public int Int32(string name) => this[name] is int number ? number : throw Invalid(name, "a number");

    /// <summary>Returns a flag.</summary>
    public bool Boolean(string name) => this[name] is bool flag ? flag : throw Invalid(name, "a flag");

    /// <summary>Returns a text.</summary>
    public string? Text(string name) => this[name] is var value && value is null or string ? (string?)value : throw Invalid(name, "a text");

    /// <summary>Returns the record of an object that belongs to this one alone; null for none.</summary>
    public ClassRecord? Record(string name) =>
        this[name] is var value && value is null or ClassRecord ? (ClassRecord?)value : throw Invalid(name, "a record");

    /// <summary>Makes the error about a member that is missing or of another kind.</summary>
    public WireFormatException Invalid(string name, string what) => ThrowHelper.NotValid(type.ToString(), $"'{name}' is not {what}");

    // Where two bases have the same simple name, the full one stands in front.
    private string? LongName(Type level, string name)
    {
        string definition = (level.IsGenericType ? level.GetGenericTypeDefinition() : level).FullName!;
        return record.MemberNames.FirstOrDefault(
            member => member.StartsWith(definition, StringComparison.Ordinal) && member.EndsWith($"+{name}", StringComparison.Ordinal));
    }
}
